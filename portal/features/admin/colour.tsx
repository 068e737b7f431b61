import { contrast, inkOn } from '@hatchway/domain/colour.ts';
import { Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './admin.module.css';

/** Ours, for who begins to choose. */
const FIRST = '#0b6b64';

type Props = { name: string; color: string | null; onChange: (color: string | null) => void };

/** The company's colour on the pages that customers see, and how texts are read on it. */
export const Colour = ({ name, color, onChange }: Props) => {
  const { t, i18n } = useTranslation();
  const ratio = (ground: string) =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(contrast(ground, inkOn(ground)));
  return (
    <fieldset className={styles.fieldset}>
      <legend>{t('admin.colour')}</legend>
      <Switch
        label={t('admin.colourOwn')}
        description={t('admin.colourText')}
        checked={color !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? FIRST : null)}
      />
      {color !== null && (
        <>
          <TextInput
            type="color"
            w={120}
            label={t('admin.colourPick')}
            value={color}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <p className={styles.brand} style={{ background: color, color: inkOn(color) }}>
            {name}
          </p>
          <p className={styles.intro}>{t('admin.colourContrast', { ratio: ratio(color) })}</p>
        </>
      )}
    </fieldset>
  );
};
