import { useEffect, useRef, useState } from 'react';
import { codeReader, look } from '../app/code-reader.ts';
import { useWords } from '../words/words.ts';

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
    let rest = () => {};
    let over = false;
    const end = () => {
      over = true;
      rest();
      stream?.getTracks().forEach((track) => track.stop());
    };
    const fail = () => {
      end();
      setFailed(true);
    };
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const node = video.current;
      if (over || !node) return stream.getTracks().forEach((track) => track.stop());
      node.srcObject = stream;
      await node.play();
      const reader = await codeReader(['qr_code']);
      if (over) return undefined;
      rest = look(reader, node, (text) => reading.current(text), fail);
      return undefined;
    };
    start().catch(fail);
    return end;
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
