import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { colorSchemeManager } from '../app/color-scheme.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';

const manager = colorSchemeManager();
/** The answer's nonce, which the server wrote into the page: Mantine's style tags carry it. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export const Looks = ({ children }: { children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={manager}
    defaultColorScheme="auto"
    getStyleNonce={nonce}
  >
    {children}
  </MantineProvider>
);
