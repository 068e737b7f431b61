import { preference } from './preferences.ts';

/** Hertz and milliseconds: high for read, middle for open, low for no. */
const TONES = { scan: [1320, 70], open: [880, 140], bad: [220, 240] } as const;
let context: AudioContext | undefined;

/** A short tone for hands that are busy and eyes that are elsewhere. Where a browser plays none, nothing is missing. */
export const tone = (name: keyof typeof TONES): void => {
  if (preference('sounds') === 'off' || !('AudioContext' in globalThis)) return;
  const [pitch, length] = TONES[name];
  context ??= new AudioContext();
  const sound = context.createOscillator();
  const volume = context.createGain();
  const end = context.currentTime + length / 1000;
  sound.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  sound.connect(volume).connect(context.destination);
  sound.start();
  sound.stop(end);
};
