import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ticksOf } from './ticks.ts';
import styles from './dashboard.module.css';

export type Bar = {
  key: string;
  /** Under the axis, where there is room for it. */ mark: string;
  name: string;
  values: readonly [number, number];
  /** The list of what each value counts, where there is one and this person may read it. */
  to?: readonly [LinkProps, LinkProps] | undefined;
};
type Props = {
  bars: readonly Bar[];
  /** What the two values of a bar are called. */
  words: readonly [string, string];
  /** How a value is written; whole numbers as they are. */
  write?: (value: number) => string;
  /** What the axis counts in: the line of a krone is never drawn at half of one. */
  unit?: number;
  caption: string;
  head: string;
  /** The highest bar at least: small numbers must not look like much. */
  least: number;
};

const HEIGHT = 200;
const WIDTH = 620;
/** Marks that fit beside each other. */
const MARKS = 6;
const FILLS = [styles.filledBar, styles.deliveredBar] as const;

/**
 * Pairs of bars, drawn here: a chart library would weigh more than the rest of the screen. The mouse goes on from a bar; the same figures
 * stand in a table with the same links, for the keyboard, for a finger, and for those who hear the page.
 */
export const Bars = ({ bars, words, write = String, unit = 1, caption, head, least }: Props) => {
  const ticks = ticksOf(Math.max(least, ...bars.flatMap((bar) => bar.values)), unit);
  const most = ticks.at(-1) ?? 1;
  const up = (value: number): number => Math.round((value / most) * HEIGHT);
  const step = WIDTH / Math.max(1, bars.length);
  const wide = Math.max(2, Math.min(18, step * 0.36));
  const every = Math.max(1, Math.ceil(bars.length / MARKS));
  return (
    <figure className={styles.chart}>
      <svg viewBox={`-60 -20 ${WIDTH + 68} ${HEIGHT + 52}`} aria-hidden>
        {ticks.map((tick) => (
          <g key={tick} transform={`translate(0 ${HEIGHT - up(tick)})`}>
            <line x1="0" x2={WIDTH} className={styles.gridline} />
            <text x="-6" y="4" textAnchor="end" className={styles.axis}>
              {write(tick)}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          <g key={bar.key} transform={`translate(${(index + 0.5) * step} 0)`}>
            <title>{`${bar.name}: ${words[0]} ${write(bar.values[0])}, ${words[1]} ${write(bar.values[1])}`}</title>
            {([0, 1] as const).map((at) => {
              const value = bar.values[at];
              const to = value > 0 ? bar.to?.[at] : undefined;
              const drawn = (
                <rect x={at === 0 ? -wide : 0.5} width={wide - 0.5} y={HEIGHT - up(value)} height={up(value)} className={FILLS[at]} />
              );
              return to === undefined ? (
                <g key={at}>{drawn}</g>
              ) : (
                <Link key={at} {...to} tabIndex={-1} className={styles.barLink}>
                  {/* A low bar is as easily hit as a high one. */}
                  <rect x={at === 0 ? -step / 2 : 0} width={step / 2} y="0" height={HEIGHT} className={styles.reach} />
                  {drawn}
                </Link>
              );
            })}
            {index % every === 0 && (
              <text x="0" y={HEIGHT + 26} textAnchor="middle" className={styles.axis}>
                {bar.mark}
              </text>
            )}
          </g>
        ))}
      </svg>
      <Figures bars={bars} words={words} write={write} caption={caption} head={head} />
    </figure>
  );
};

/** What the bars are of, without those that are of nothing. */
const Figures = ({
  bars,
  words,
  write,
  caption,
  head,
}: Pick<Props, 'bars' | 'words' | 'caption' | 'head'> & Required<Pick<Props, 'write'>>) => {
  const { t } = useTranslation();
  const value = (bar: Bar, at: 0 | 1) => {
    const to = bar.values[at] > 0 ? bar.to?.[at] : undefined;
    const written = write(bar.values[at]);
    if (to === undefined) return written;
    return (
      <Link {...to} className={styles.link} aria-label={`${words[at]} ${written}, ${bar.name}`}>
        {written}
      </Link>
    );
  };
  const some = bars.filter((bar) => bar.values.some((one) => one > 0));
  if (some.length === 0) return <p className="hw-hint">{t('dashboard.nothing')}</p>;
  return (
    <details className={styles.figuresOf}>
      <summary>{t('dashboard.asTable')}</summary>
      <table className={styles.services}>
        <caption className="hw-spoken">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{words[0]}</th>
            <th scope="col">{words[1]}</th>
          </tr>
        </thead>
        <tbody>
          {some.map((bar) => (
            <tr key={bar.key}>
              <th scope="row">{bar.name}</th>
              <td>{value(bar, 0)}</td>
              <td>{value(bar, 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

/** What the two colours mean. */
export const Keys = ({ words }: { words: readonly [string, string] }) => (
  <span className={styles.keys}>
    <span className={styles.key}>
      <span className={styles.swatch} data-state="filled" aria-hidden />
      {words[0]}
    </span>
    <span className={styles.key}>
      <span className={styles.swatch} data-state="delivered" aria-hidden />
      {words[1]}
    </span>
  </span>
);
