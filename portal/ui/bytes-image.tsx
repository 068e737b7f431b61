import { useEffect, useRef } from 'react';

/** Pictures need the token, so they are fetched as bytes and shown from memory, which is given back with the element. */
export const BytesImage = ({ bytes, alt, className }: { bytes: Blob; alt: string; className?: string | undefined }) => {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!image.current) return undefined;
    const address = URL.createObjectURL(bytes);
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [bytes]);
  return <img ref={image} alt={alt} className={className} />;
};
