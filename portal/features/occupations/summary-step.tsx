import { SIZES } from '@hatchway/domain/terms.ts';
import { formatPrice } from '@hatchway/domain/price.ts';
import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../app/language.ts';
import { priceOf } from '../../app/money.ts';
import { Facts, Panel } from '../../ui/panel.tsx';
import { CabinetSelect } from './cabinet-select.tsx';
import type { DoorChoice } from './choice.ts';
import { assetName, orderNumber, type Draft, type Field } from './draft.ts';
import { chosenWord, fitWords } from './fit-words.ts';
import { OrderTaken } from './order-taken.tsx';
import { NotOpened, PassedOver } from './passed-over.tsx';
import { stepWord, type Plan, type StepId } from './plan.ts';
import { ReceiverFields } from './receiver-fields.tsx';
import { useRules } from './rules.ts';
import styles from './service.module.css';
import { SpanSelect } from './span-select.tsx';
import { ToolNote } from './tool-note.tsx';

type Props = {
  draft: Draft;
  plan: Plan;
  steps: readonly StepId[];
  choice: DoorChoice;
  wrong: readonly Field[];
  busy: boolean;
  onChange: (patch: Partial<Draft>) => void;
  onGo: (step: StepId) => void;
};

/** All that was said, each with a way to change it; one press registers it and opens the door, or sends the link. */
export const SummaryStep = (props: Props) => {
  const { draft, plan, steps, choice, busy, onChange, onGo } = props;
  const { t, i18n } = useTranslation();
  const { locker } = choice;
  const { rules, known } = useRules(plan, choice.walls.lockers.find(({ id }) => id === locker?.id) ?? null, draft.receiver);
  const row = (name: string, step: StepId, value: ReactNode) =>
    [
      name,
      <span className={styles.summaryRow} key={step}>
        <span>{value}</span>
        <Button variant="subtle" size="compact-sm" flex="none" onClick={() => onGo(step)}>
          {t('common.edit')}
          <span className={styles.hidden}> {name}</span>
        </Button>
      </span>,
    ] as const;
  const person = [draft.receiver.name, draft.receiver.tlf, draft.receiver.email]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' · ');
  const cabinet = choice.walls.cabinets.find((one) => one.id === locker?.cabinetId);
  const amount = priceOf(draft.price, draft.currency);
  const pieces = t('occupations.stock.pieces', { count: Number(draft.quantity) || 0 });
  const level = draft.refillLevel.trim() === '' ? [] : [t('occupations.stock.refillAt', { level: draft.refillLevel })];
  const what = [assetName(draft), ...(plan.type === 'consumable' ? [pieces, ...level] : [])].join(' · ');
  const who = t(`occupations.summary.${stepWord(plan, 'receiver') === 'person' ? 'person' : 'who'}`);
  const ending = (
    <>
      <Textarea
        label={t('occupations.summary.note')}
        placeholder={t('occupations.summary.notePlaceholder')}
        autosize
        minRows={2}
        maxLength={1000}
        value={draft.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
      <p className={styles.quiet}>{t(plan.begins === 'ask' ? 'occupations.summary.readyToAsk' : 'occupations.summary.ready')}</p>
      <Button
        // Another door in place of the one that was read here takes the focus away: the next Enter must not open that unread.
        key={choice.lost?.id}
        type="submit"
        size="lg"
        data-opens
        loading={busy}
        disabled={locker === null}
        data-step-focus={plan.asks !== 'owner' || undefined}
      >
        {plan.begins === 'ask' ? t('occupations.act.sendLink') : t('occupations.summary.open', { tag: locker?.doorTag ?? '' })}
      </Button>
    </>
  );
  if (plan.asks === 'owner') {
    return (
      <Owner {...props} pickupHours={rules.pickupHours}>
        {ending}
      </Owner>
    );
  }
  return (
    <div className={styles.narrow}>
      <Panel title={t('occupations.step.summary')}>
        <Facts
          rows={[
            ...(steps.includes('asset') ? [row(t('occupations.summary.what'), 'asset', what)] : []),
            ...(steps.includes('price') && amount !== null
              ? [
                  row(
                    t('occupations.step.price'),
                    'price',
                    `${formatPrice({ amount, currency: draft.currency }, localeOf(i18n.language))} · ${pieces}`,
                  ),
                ]
              : []),
            ...(draft.request === '' || !steps.includes('request')
              ? []
              : [row(t('occupations.summary.request'), 'request', draft.request)]),
            ...(orderNumber(draft) === '' ? [] : [row(t('occupations.summary.order'), 'order', orderNumber(draft))]),
            ...(steps.includes('receiver') ? [row(who, 'receiver', person)] : []),
            row(
              t('occupations.summary.where'),
              'locker',
              locker === null ? (
                chosenWord(choice, t)
              ) : (
                <>
                  {`${locker.doorTag} (${locker.size}) · ${cabinet?.name ?? ''}`} <NotOpened locker={locker} />
                </>
              ),
            ),
          ]}
        />
      </Panel>
      {draft.asset !== null && <ToolNote asset={draft.asset} plan={plan} />}
      <OrderTaken number={orderNumber(draft)} />
      {plan.asks === 'expected' && (
        <TextInput
          label={t('occupations.summary.expected')}
          placeholder={t('occupations.summary.expectedPlaceholder')}
          size="md"
          maxLength={200}
          value={draft.text}
          onChange={(event) => onChange({ text: event.currentTarget.value, asset: null })}
        />
      )}
      {plan.asks === 'loan-time' && (
        <SpanSelect
          label={t('occupations.span.loan')}
          value={draft.hours}
          policyHours={known ? rules.loanHours : null}
          lockerId={locker?.id ?? null}
          text="due"
          onChange={(hours) => onChange({ hours })}
        />
      )}
      {ending}
    </div>
  );
};

/** Storage has no steps before: whose it is, how large and until when stand here, and the best door is chosen already. */
const Owner = ({ draft, plan, choice, wrong, pickupHours, onChange, children }: Props & { pickupHours: number; children: ReactNode }) => {
  const { t } = useTranslation();
  const { locker } = choice;
  const cabinet = choice.walls.cabinets.find((one) => one.id === locker?.cabinetId);
  const why = fitWords(choice, t);
  return (
    <div className={styles.halves}>
      <div>
        <ReceiverFields value={draft.receiver} wrong={wrong} onChange={(receiver) => onChange({ receiver })} />
        <TextInput
          label={t('occupations.summary.stored')}
          placeholder={t('occupations.summary.storedPlaceholder')}
          size="md"
          maxLength={200}
          value={draft.text}
          onChange={(event) => onChange({ text: event.currentTarget.value, asset: null })}
        />
        <SpanSelect
          label={t('occupations.span.storage')}
          value={draft.hours}
          policyHours={pickupHours}
          lockerId={locker?.id ?? null}
          text="until"
          onChange={(hours) => onChange({ hours })}
        />
        <div>
          <span className={styles.label} id="wanted-size">
            {t('occupations.locker.size')}
          </span>
          <SegmentedControl
            aria-labelledby="wanted-size"
            value={draft.size ?? ''}
            onChange={(size) => onChange({ size: SIZES.find((one) => one === size) ?? null, lockerId: null })}
            data={[{ value: '', label: t('occupations.locker.anySize') }, ...SIZES.map((size) => ({ value: size, label: size }))]}
          />
        </div>
        <CabinetSelect service={plan.service ?? plan.type} choice={choice} onChange={onChange} />
      </div>
      <div>
        <div className={styles.chosen}>
          <span className={styles.plate} data-none={locker === null || undefined}>
            {locker?.doorTag ?? '–'}
            {locker !== null && <small>{locker.size}</small>}
          </span>
          <p className={styles.why} aria-live="polite">
            <b>{chosenWord(choice, t)}</b>
            {why} {why.includes(cabinet?.name ?? '') ? '' : cabinet?.name} <PassedOver choice={choice} />{' '}
            <NotOpened locker={choice.locker} />
          </p>
        </div>
        {children}
      </div>
    </div>
  );
};
