import { useEffect, useRef, useState } from 'react';
import { codeReader } from '../app/code-reader.ts';
import { useWords } from '../words/words.ts';

const EVERY = 250;

export default function Scanner({ read, stop }: { read: (text: string) => void; stop: () => void }) {
  const { words } = useWords();
  const video = useRef<HTMLVideoElement>(null);
  const reading = useRef(read);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    reading.current = read;
  });
  useEffect(() => {
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setInterval> | undefined;
    let over = false;
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const node = video.current;
      if (over || !node) return stream.getTracks().forEach((track) => track.stop());
      node.srcObject = stream;
      await node.play();
      const reader = await codeReader(['qr_code']);
      if (over) return undefined;
      timer = setInterval(() => {
        reader.detect(node).then(
          ([first]) => first && reading.current(first.rawValue),
          () => {}, // a frame that is not there yet; the next one comes
        );
      }, EVERY);
      return undefined;
    };
    start().catch(() => setFailed(true));
    return () => {
      over = true;
      clearInterval(timer);
      stream?.getTracks().forEach((track) => track.stop());
    };
  }, []);
  return (
    <section className="scanner" aria-label={words.enter.scan}>
      {failed ? (
        <p className="wrong" role="alert">
          {words.enter.scanFailed}
        </p>
      ) : (
        <>
          <p>{words.enter.scanTitle}</p>
          <video ref={video} muted playsInline />
        </>
      )}
      <button type="button" onClick={stop}>
        {words.enter.scanStop}
      </button>
    </section>
  );
}
