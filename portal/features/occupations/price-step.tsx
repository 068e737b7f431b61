import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CURRENCIES } from '../../app/money.ts';
import type { Draft, Field } from './draft.ts';
import { NumberField } from './number-field.tsx';
import styles from './service.module.css';

type Props = { draft: Draft; wrong: readonly Field[]; onChange: (patch: Partial<Draft>) => void };

/** What one piece costs, and how many are put in. */
export const PriceStep = ({ draft, wrong, onChange }: Props) => {
  const { t } = useTranslation();
  return (
    <div className={styles.narrow}>
      <div className={styles.pair}>
        <NumberField
          label={t('occupations.stock.price')}
          description={t('occupations.stock.priceHint')}
          decimal
          value={draft.price}
          rightSection={
            <NativeSelect
              aria-label={t('occupations.stock.currency')}
              variant="unstyled"
              // its own arrow's room: the field around it hands down its 88 px, which would leave none for the letters
              rightSectionWidth={28}
              styles={{ input: { border: 0, paddingInlineStart: 8 } }}
              value={draft.currency}
              data={[...CURRENCIES]}
              onChange={(event) => onChange({ currency: event.currentTarget.value })}
            />
          }
          rightSectionWidth={88}
          error={wrong.includes('price') ? t('occupations.stock.wrong.price') : undefined}
          onChange={(price) => onChange({ price })}
          focusFirst
        />
        <NumberField
          label={t('occupations.stock.quantity')}
          description={t('occupations.stock.quantityHint')}
          value={draft.quantity}
          error={wrong.includes('quantity') ? t('occupations.stock.wrong.quantity') : undefined}
          onChange={(quantity) => onChange({ quantity })}
        />
      </div>
    </div>
  );
};
