import { Button, CopyButton, Group, Skeleton, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconMail, IconMessage, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { deadline } from '../../app/dates.ts';
import { useZone } from '../../app/who.ts';
import { useApi } from '../../app/portal.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type AccessLink, linkQrQuery, linkUrlQuery } from './api.ts';
import styles from './links.module.css';
import { printLink } from './print.ts';
import { doorsText } from './state.tsx';

const icon = { size: 18, 'aria-hidden': true } as const;

/** The link's address in every shape that it is handed on in: copied, sent from one's own mail or phone, printed as a square code. */
export const Address = ({ link }: { link: AccessLink }) => {
  const { t } = useTranslation();
  const api = useApi();
  const until = deadline(link.validTo, useZone());
  const url = useQuery(linkUrlQuery(api, link.id));
  const qr = useQuery(linkQrQuery(api, link.id));
  if (url.isError) return <ProblemNote error={url.error} onRetry={() => void url.refetch()} />;
  const address = url.data?.url ?? '';
  const words = t('links.shareText', { name: link.name, url: address, until });
  return (
    <div className={styles.address}>
      {qr.data && <img className={styles.qr} src={qr.data} alt={t('links.qr', { name: link.name })} />}
      {qr.isPending && <Skeleton className={styles.qr ?? ''} />}
      <Stack gap="sm">
        {address === '' ? <Skeleton height={40} /> : <code className={styles.url}>{address}</code>}
        {(address === '' || qr.isPending) && <output className={styles.quiet}>{t('links.fetching')}</output>}
        {qr.isError && <ProblemNote title={t('links.noQr')} error={qr.error} onRetry={() => void qr.refetch()} />}
        <Group gap="xs">
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button leftSection={copied ? <IconCheck {...icon} /> : <IconCopy {...icon} />} onClick={copy} disabled={address === ''}>
                {t(copied ? 'common.copied' : 'links.copy')}
              </Button>
            )}
          </CopyButton>
          <Button
            variant="default"
            leftSection={<IconPrinter {...icon} />}
            disabled={!qr.data}
            onClick={() =>
              printLink({
                title: link.name,
                qr: qr.data ?? '',
                lines: [t(`links.purposes.${link.purpose}`), doorsText(link.doors, 8), t('common.until', { time: until })],
              })
            }
          >
            {t('links.print')}
          </Button>
          <Handed
            href={address && `mailto:?subject=${encodeURIComponent(link.name)}&body=${encodeURIComponent(words)}`}
            icon={<IconMail {...icon} />}
            word={t('links.mail')}
          />
          <Handed href={address && `sms:?&body=${encodeURIComponent(words)}`} icon={<IconMessage {...icon} />} word={t('links.sms')} />
        </Group>
      </Stack>
    </div>
  );
};

/** Goes on to one's own mail or phone; dead until there is an address to go on with, since a message without it lets nobody in. */
const Handed = ({ href, icon: leftSection, word }: { href: string; icon: ReactNode; word: string }) =>
  href === '' ? (
    <Button variant="default" leftSection={leftSection} disabled>
      {word}
    </Button>
  ) : (
    <Button variant="default" component="a" href={href} leftSection={leftSection}>
      {word}
    </Button>
  );
