import styles from './dashboard.module.css';

export type Bar = {
  key: string;
  /** Under the axis, where there is room for it. */ mark: string;
  name: string;
  values: readonly [number, number];
};
type Props = {
  bars: readonly Bar[];
  /** What the two values of a bar are called. */
  words: readonly [string, string];
  /** How a value is written; whole numbers as they are. */
  write?: (value: number) => string;
  caption: string;
  head: string;
  /** The highest bar at least: small numbers must not look like much. */
  least: number;
};

const HEIGHT = 200;
const WIDTH = 620;
/** Marks that fit beside each other. */
const MARKS = 6;

/**
 * Pairs of bars, drawn here: a chart library would weigh more than the rest of the screen. The same figures stand in a table for those
 * who hear the page.
 */
export const Bars = ({ bars, words, write = String, caption, head, least }: Props) => {
  const most = Math.max(least, ...bars.flatMap((bar) => bar.values));
  const up = (value: number): number => Math.round((value / most) * HEIGHT);
  const step = WIDTH / Math.max(1, bars.length);
  const wide = Math.max(2, Math.min(18, step * 0.36));
  const every = Math.max(1, Math.ceil(bars.length / MARKS));
  return (
    <figure className={styles.chart}>
      <svg viewBox={`-60 -20 ${WIDTH + 68} ${HEIGHT + 52}`} aria-hidden>
        {[0, 0.5, 1].map((part) => (
          <g key={part} transform={`translate(0 ${HEIGHT - part * HEIGHT})`}>
            <line x1="0" x2={WIDTH} className={styles.gridline} />
            <text x="-6" y="4" textAnchor="end" className={styles.axis}>
              {write(Math.round(most * part))}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          <g key={bar.key} transform={`translate(${(index + 0.5) * step} 0)`}>
            <title>{`${bar.name}: ${words[0]} ${write(bar.values[0])}, ${words[1]} ${write(bar.values[1])}`}</title>
            <rect x={-wide} width={wide - 0.5} y={HEIGHT - up(bar.values[0])} height={up(bar.values[0])} className={styles.filledBar} />
            <rect x={0.5} width={wide - 0.5} y={HEIGHT - up(bar.values[1])} height={up(bar.values[1])} className={styles.deliveredBar} />
            {index % every === 0 && (
              <text x="0" y={HEIGHT + 26} textAnchor="middle" className={styles.axis}>
                {bar.mark}
              </text>
            )}
          </g>
        ))}
      </svg>
      {/* A table keeps its height whatever it is told, so what hides it stands around it. */}
      <div className="hw-spoken">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th>{head}</th>
              <th>{words[0]}</th>
              <th>{words[1]}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.key}>
                <th>{bar.name}</th>
                <td>{write(bar.values[0])}</td>
                <td>{write(bar.values[1])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
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
