import { drawingSVG, qrcode } from 'bwip-js/browser';

/** A square code for the camera of another device. Import this file lazily: the encoder weighs more than the site. */
export default function Qr({ text, label }: { text: string; label: string }) {
  const image = `data:image/svg+xml,${encodeURIComponent(qrcode({ bcid: 'qrcode', text }, drawingSVG()))}`;
  return <img className="qr" src={image} alt={label} />;
}
