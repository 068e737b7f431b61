import { Anchor, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { useToolWords } from '../../app/tool-words.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Integration, useIntegrationCommands } from './api.ts';
import styles from './integrations.module.css';

type Props = { row: Integration; /** Its form says otherwise than what would be tried. */ unsaved: boolean; isDenied: boolean };
/** What is done with a shop whose address was saved: its owner is asked, its keys are tried, its orders are fetched. */
export const ShopActs = ({ row, unsaved, isDenied }: Props) => {
  const { t } = useTranslation();
  const commands = useIntegrationCommands('woo');
  const said = (seen: Integration, well: string): void => {
    if (seen.lastError === null) toast.ok(well);
  };
  const approval = useMutation({ mutationFn: commands.approval });
  const test = useMutation({ mutationFn: () => commands.test(row), onSuccess: (seen) => said(seen, t('integrations.shop.works')) });
  const sync = useMutation({ mutationFn: () => commands.sync(row), onSuccess: (seen) => said(seen, t('integrations.shop.synced')) });
  const hasKeys = [row.secrets['consumerKey'], row.secrets['consumerSecret']].every(Boolean);
  // The way there is used up or lost by now: another one is asked for, once.
  const isAsked = useRef(false);
  const { mutate: ask } = approval;
  useEffect(() => {
    if (!isDenied || hasKeys || isAsked.current) return;
    isAsked.current = true;
    ask();
  }, [ask, hasKeys, isDenied]);
  const failed = [approval, test, sync].find(({ isError }) => isError);
  return (
    <>
      <div className={styles.actions}>
        <Button variant={hasKeys ? 'default' : 'filled'} disabled={unsaved} loading={approval.isPending} onClick={() => approval.mutate()}>
          {t('integrations.shop.ask')}
        </Button>
        {hasKeys && (
          <>
            <Button variant="default" disabled={unsaved} loading={test.isPending} onClick={() => test.mutate()}>
              {t('integrations.shop.test')}
            </Button>
            <Button variant="default" disabled={unsaved} loading={sync.isPending} onClick={() => sync.mutate()}>
              {t('integrations.shop.sync')}
            </Button>
          </>
        )}
      </div>
      {isDenied && !hasKeys && (
        <p className={styles.notYet} role="alert">
          {t('integrations.shop.denied')}
        </p>
      )}
      <output className={styles.text}>
        {unsaved && t('integrations.saveFirst')}
        {!unsaved && approval.data !== undefined && (
          <Anchor href={approval.data} target="_blank" rel="noopener noreferrer">
            {t('integrations.shop.approve')}
          </Anchor>
        )}
      </output>
      {failed?.error && <ProblemNote error={failed.error} />}
    </>
  );
};

const FAULTS = ['keys-refused', 'keys-missing', 'not-a-shop', 'shop-closed'] as const;
/** What is wrong on the other side, in words where it is known. */
export const useFaultWords = (): ((error: string, isTool: boolean) => string) => {
  const { t } = useTranslation();
  const { faultOf } = useToolWords();
  return (error, isTool) => {
    if (isTool && error !== 'keys-missing') return faultOf(error);
    const fault = FAULTS.find((one) => one === error);
    return fault === undefined ? error : t(`integrations.shop.faults.${fault}`);
  };
};
