import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery } from '../../app/queries.ts';
import { useAccess } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { NotAllowed } from '../pages/not-allowed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AbortButton } from './abort-button.tsx';
import { AssetStep } from './asset-step.tsx';
import { Faults } from './faults.tsx';
import { InUseDialog } from './in-use.tsx';
import { LastHere } from './last-here.tsx';
import { LockerStep } from './locker-step.tsx';
import { OrderStep } from './order-step.tsx';
import { placeOf, PLANS, stepWord, type FillService, type StepId } from './plan.ts';
import { PriceStep } from './price-step.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { ReceiverFields } from './receiver-fields.tsx';
import { RequestStep } from './request-step.tsx';
import { Resumed } from './resumed.tsx';
import { Running } from './running-step.tsx';
import { isOver, type Scene } from './running.ts';
import styles from './service.module.css';
import { SummaryStep } from './summary-step.tsx';
import { UnderWay } from './under-way.tsx';
import { useFlow, type Flow } from './use-flow.ts';
import { useOffers } from './use-offers.ts';
import { Placeholder } from '../../ui/panel.tsx';

/** One screen for all services: the service brings its row of steps and its words. */
// Types written out: the route tree needs them, and they need its addresses.
export const ServiceScreen = ({ service }: { service: FillService }): ReactNode => {
  const { t } = useTranslation();
  const mayUse = useAccess().may(service);
  const cabinets = useQuery({ ...cabinetsQuery(useApi()), enabled: mayUse });
  const offers = useOffers(PLANS[service]);
  if (!mayUse) return <NotAllowed />;
  // Whether there is any door, and what can be picked first, is settled before anybody is asked for something.
  if (cabinets.isPending || offers.isPending) {
    return (
      <>
        <PageHeader title={t(`terms.service.${service}`)} />
        <Placeholder height={420} />
      </>
    );
  }
  return <Screen key={service} service={service} />;
};

/** Where the word at the foot comes next. */
const READY = { publish: new Set<Scene | null>(['stocked']), notify: new Set<Scene | null>(['filled', 'kept']) };

const Screen = ({ service }: { service: FillService }): ReactNode => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  const { builds } = useAccess();
  const flow = useFlow(service);
  const form = useRef<HTMLFormElement>(null);
  const [byHand, setByHand] = useState(false);
  const { step, fault, running, occupation } = flow;
  const runs = flow.occupationId !== null;
  const place = runs ? flow.steps.length : placeOf(flow.steps, step);

  // Each step begins where one types; a step that was refused, at what is wrong. What is mended there is typed on where one types.
  useEffect(() => {
    if (runs) return;
    const first = form.current?.querySelector<HTMLElement>(`[data-step="${step}"] [data-step-focus], [data-next="${step}"]`);
    first?.focus();
    // What is scanned or typed by whoever comes back takes the place of what stands there; it is not added to it.
    if (first instanceof HTMLInputElement) first.select();
  }, [step, runs]);
  // A new step begins at its top, which the router sees to after that: what has the focus must not lie behind the foot then.
  useEffect(
    () => router.subscribe('onRendered', () => form.current?.querySelector<HTMLElement>(':focus')?.scrollIntoView({ block: 'nearest' })),
    [router],
  );
  useEffect(() => {
    if (fault !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [fault]);

  // Ctrl+Enter goes on from anywhere, a note or the wall included.
  const latest = useRef(flow);
  useEffect(() => {
    latest.current = flow;
  });
  // Next was pressed before the walls were read.
  const goesOn = flow.onward && !flow.seeking;
  useEffect(() => {
    if (goesOn) latest.current.next();
  }, [goesOn]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || latest.current.occupationId !== null) return;
      event.preventDefault();
      if (latest.current.step === 'summary') void latest.current.begin();
      else latest.current.next();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const { walls } = flow.choice;
  if (!runs && !walls.pending && walls.error === null && walls.cabinets.length === 0) {
    // Said before anybody types a receiver in vain.
    return (
      <>
        <PageHeader title={t(`terms.service.${service}`)} />
        <Notice level={2} title={t('lockers.wall.none')} text={t('lockers.wall.noneText')}>
          {builds && <Button renderRoot={(props) => <Link {...props} to="/manage/lockers" />}>{t('lockers.wall.setUp')}</Button>}
        </Notice>
      </>
    );
  }
  const leave = async () => {
    await flow.abort();
    await navigate({ to: '/dash' });
  };
  const startOver = () => {
    flow.restart();
    // Where it is the same step, that one does not begin by itself.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[data-step-focus]')?.focus());
  };
  const begins = !runs && place === 1;
  const done = isOver(running.scene);
  // The word at the foot is what comes once it lies inside.
  const last = flow.plan.follows === 'publish' ? 'publish' : 'notify';
  const tells = last === 'publish' ? 'publish' : 'send';
  // Not of what is in doubt: then the card leads to where that is settled.
  const ready = READY[last].has(running.scene) && occupation?.actions.includes(tells) === true;
  const word = (one: StepId) => t(`occupations.step.${stepWord(flow.plan, one)}`);
  const title = t(`terms.service.${service}`);
  return (
    <div className={styles.screen}>
      <PageHeader title={title} />
      <div className={styles.progress}>
        <output className={styles.count}>
          {t('common.step', { step: place, total: flow.steps.length })}
          <span className={styles.hidden}>: {word(runs ? 'summary' : step)}</span>
        </output>
        <ol className={styles.bar} aria-label={t('occupations.steps')}>
          {flow.steps.map((one, index) => (
            <li key={one} data-done={index + 1 < place || undefined} aria-current={index + 1 === place ? 'step' : undefined}>
              {index + 1 < place && !runs ? (
                <button type="button" onClick={() => flow.go(one)}>
                  {word(one)}
                </button>
              ) : (
                word(one)
              )}
            </li>
          ))}
        </ol>
      </div>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (runs) return;
          if (step === 'summary') void flow.begin();
          else flow.next();
        }}
      >
        <div className={styles.content} data-step={step} data-beside={(begins && flow.steps.length > 1) || undefined}>
          {!runs && <h2 className={styles.heading}>{word(step)}</h2>}
          {flow.lastHere !== null && <LastHere id={flow.lastHere} />}
          <Resumed flow={flow} onStartOver={startOver} />
          <Faults flow={flow} service={service} />
          {runs ? <Running flow={flow} service={service} onByHand={() => setByHand(true)} /> : <Step flow={flow} service={service} />}
          {/* Beside the first step; below storage's only one, which needs the room itself. */}
          {begins && <UnderWay service={service} onGoOn={flow.goOnWith} />}
        </div>
        <div className={styles.foot}>
          {!done && <AbortButton service={service} occupation={occupation} locker={running.locker} onAbort={leave} />}
          {flow.mayGoBack && !done && (
            <Button variant="default" data-back onClick={flow.back}>
              {t('common.back')}
            </Button>
          )}
          {step === 'locker' && !runs && (
            <span className={styles.going} data-going aria-hidden>
              {flow.choice.locker?.doorTag}
            </span>
          )}
          {step !== 'summary' && !runs ? (
            <Button type="submit" loading={flow.onward || flow.looking} data-next={step === 'locker' ? step : undefined}>
              {t('common.next')}
            </Button>
          ) : (
            !done &&
            flow.plan.begins === 'open' &&
            running.scene !== 'not-told' && (
              <Button
                variant={ready ? 'filled' : 'default'}
                data-first={ready || undefined}
                data-idle={!runs || undefined}
                disabled={!ready}
                loading={flow.busy === last}
                onClick={() => void flow.act(last)}
              >
                {t(`occupations.act.${last}`)}
              </Button>
            )
          )}
        </div>
      </form>
      {flow.inUse.asked !== null && (
        <InUseDialog
          asked={flow.inUse.asked}
          plan={flow.plan}
          onConfirm={() => flow.inUse.asked !== null && flow.inUse.goOn(flow.inUse.asked.draft)}
          onClose={flow.inUse.forget}
        />
      )}
      {byHand && occupation !== null && (
        <ReasonDialog
          title={t('occupations.byHand.title', { tag: occupation.doorTag })}
          text={t('occupations.byHand.text')}
          label={t('occupations.byHand.reason')}
          placeholder={t('occupations.byHand.placeholder')}
          needed={t('occupations.byHand.needed')}
          action={t('occupations.byHand.confirm')}
          onConfirm={(reason) => {
            setByHand(false);
            void flow.act('by-hand', reason);
          }}
          onClose={() => setByHand(false)}
        />
      )}
    </div>
  );
};

const Step = ({ flow, service }: { flow: Flow; service: FillService }) => {
  const { t } = useTranslation();
  const { draft, fault } = flow;
  const wrong = fault?.alert === 'receiver' ? fault.fields : [];
  switch (flow.step) {
    case 'request':
      return <RequestStep draft={draft} onChange={flow.change} />;
    case 'asset':
      return (
        <>
          {draft.samePerson && <p className={styles.quiet}>{t('occupations.receiver.same', { name: draft.receiver.name.trim() })}</p>}
          <AssetStep
            draft={draft}
            plan={flow.plan}
            lacking={fault?.alert === 'asset'}
            wrong={wrong}
            onChange={flow.change}
            onNext={(patch) => flow.next(patch)}
          />
        </>
      );
    case 'order':
      return <OrderStep draft={draft} lacking={fault?.alert === 'order'} onChange={flow.change} />;
    case 'price':
      return <PriceStep draft={draft} wrong={wrong} onChange={flow.change} />;
    case 'receiver':
      return <ReceiverFields value={draft.receiver} wrong={wrong} onChange={(receiver) => flow.change({ receiver })} />;
    case 'locker':
      return <LockerStep draft={draft} service={service} choice={flow.choice} onChange={flow.change} />;
    case 'summary':
      return (
        <SummaryStep
          draft={draft}
          plan={flow.plan}
          steps={flow.steps}
          choice={flow.choice}
          wrong={wrong}
          busy={flow.busy === 'register'}
          onChange={flow.change}
          onGo={flow.go}
        />
      );
  }
};
