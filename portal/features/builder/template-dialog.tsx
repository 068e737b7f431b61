import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './builder.module.css';
import { Shape } from './shape.tsx';
import { layoutOf, type Sketch } from './sketch.ts';
import { countOf, fromTemplate, type Template, TEMPLATES } from './templates.ts';

/** Another wall in place of the one that is drawn; a stroke like any other. */
export const TemplateDialog = ({ next, onPick, onClose }: { next: number; onPick: (sketch: Sketch) => void; onClose: () => void }) => {
  const { t } = useTranslation();
  const [template, setTemplate] = useState<Template>('parcels');
  return (
    <Modal opened onClose={onClose} size="lg" title={t('builder.templateTitle')} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <Text mb="md">{t('builder.templateText')}</Text>
      <fieldset className={styles.templates}>
        <legend className="hw-spoken">{t('builder.useTemplate')}</legend>
        {TEMPLATES.map((one) => (
          <label key={one} className={styles.template}>
            <input type="radio" name="template" checked={template === one} onChange={() => setTemplate(one)} className="hw-spoken" />
            <Shape layout={layoutOf(fromTemplate(one, 1))} />
            <span>
              {t(`builder.template.${one}`)} <span className={styles.quiet}>· {countOf(one)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button onClick={() => onPick(fromTemplate(template, next))}>{t('builder.replace')}</Button>
      </Group>
    </Modal>
  );
};
