import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

/** Makes one more of what a screen lists: at its head, and where there is none yet. */
export const MakeButton = ({ word, onClick }: { word: string; onClick: () => void }) => (
  <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={onClick}>
    {word}
  </Button>
);
