import { IconBox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../app/portal.ts';
import { BytesImage } from '../../ui/bytes-image.tsx';
import { type Asset, pictureQuery } from './api.ts';
import styles from './assets.module.css';

/** So long a row must stand still before its picture is fetched: whoever scrolls past thousands fetches none. */
const SETTLED = 120;

const useSettled = (): boolean => {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED);
    return () => clearTimeout(timer);
  }, []);
  return settled;
};

const useBytes = (asset: Asset, size: '96' | '480' | '1200', enabled: boolean) =>
  useQuery({ ...pictureQuery(useApi(), asset, size), enabled }).data;

/** Beside a name that says what it is: nothing to be heard. Most rows of a long list have no picture, and ask for none. */
export const Thumb = ({ asset }: { asset: Asset }) => (
  <span className={styles.thumb}>{asset.hasImage ? <SmallPicture asset={asset} /> : <NoThumb />}</span>
);
const NoThumb = () => <IconBox size={18} stroke={1.4} aria-hidden />;
const SmallPicture = ({ asset }: { asset: Asset }) => {
  const bytes = useBytes(asset, '96', useSettled());
  return bytes ? <BytesImage bytes={bytes} alt="" /> : <NoThumb />;
};

export const Picture = ({ asset, alt }: { asset: Asset; alt: string }) =>
  asset.hasImage ? <LargePicture asset={asset} alt={alt} /> : <span className={styles.noPicture} aria-hidden />;
const LargePicture = ({ asset, alt }: { asset: Asset; alt: string }) => {
  const bytes = useBytes(asset, '480', true);
  return bytes ? <BytesImage className={styles.picture} bytes={bytes} alt={alt} /> : <span className={styles.noPicture} aria-hidden />;
};
