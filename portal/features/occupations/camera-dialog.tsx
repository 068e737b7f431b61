import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { codeReader, look } from './code-reader.ts';

/** Looks through the camera until it reads a code; the camera is let go when the dialog closes. */
export const CameraDialog = ({ onScan, onClose }: { onScan: (text: string) => void; onClose: () => void }) => {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const tell = useRef(onScan);
  useEffect(() => {
    tell.current = onScan;
  });
  useEffect(() => {
    let stream: MediaStream | undefined;
    let rest = (): void => undefined;
    let over = false;
    const end = (): void => {
      over = true;
      rest();
      stream?.getTracks().forEach((track) => track.stop());
    };
    const fail = (): void => {
      end();
      setFailed(true);
    };
    const begin = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (over) return stream.getTracks().forEach((track) => track.stop());
      if (video.current === null) return undefined;
      video.current.srcObject = stream;
      await video.current.play();
      const reader = await codeReader();
      if (over || video.current === null) return undefined;
      rest = look(reader, video.current, (text) => !over && tell.current(text), fail);
      return undefined;
    };
    begin().catch(fail);
    return end;
  }, []);
  return (
    <Dialog onClose={onClose} title={t('occupations.asset.camera')}>
      <Text role={failed ? 'alert' : undefined}>{t(failed ? 'occupations.asset.cameraFailed' : 'occupations.asset.cameraText')}</Text>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live picture without sound */}
      <video ref={video} muted playsInline hidden={failed} style={{ width: '100%', marginTop: 12, borderRadius: 6 }} />
    </Dialog>
  );
};
