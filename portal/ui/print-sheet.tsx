import { SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { PAPERS, setPreference, usePreference } from '../app/preferences.ts';
import './print-sheet.css';

/** What is stuck on a thing or a door: its code as a picture, its name, and small lines below. */
export type Label = { key: string; code: string; title: string; lines: readonly string[] };

/** As a picture: nothing is drawn that the content policy would have to allow. */
const pictureOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

export const LabelCard = ({ label }: { label: Label }) => (
  <div data-label>
    <img src={pictureOf(label.code)} alt={`QR ${label.title}`} />
    <div>
      <b>{label.title}</b>
      {label.lines
        .filter((line) => line !== '')
        .map((line) => (
          <small key={line}>{line}</small>
        ))}
    </div>
  </div>
);

/** What a printer gets instead of the page while this is mounted; nothing of it is seen or heard on the screen. */
export const PrintSheet = ({ labels }: { labels: readonly Label[] }) => {
  const paper = usePreference('label-paper');
  return createPortal(
    <div data-print-sheet data-paper={paper} aria-hidden>
      {labels.map((label) => (
        <LabelCard key={label.key} label={label} />
      ))}
    </div>,
    document.body,
  );
};

/** Which paper lies in the printer of this machine. */
export const PaperChoice = () => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div>
      <span id={id}>{t('common.paper')}</span>{' '}
      <SegmentedControl
        aria-labelledby={id}
        value={usePreference('label-paper')}
        onChange={(paper) => setPreference('label-paper', paper)}
        data={PAPERS.map((paper) => ({ value: paper, label: t(`common.papers.${paper}`) }))}
      />
    </div>
  );
};
