/**
 * The little of Mantine's style sheet that the frame and the dashboard need. The whole sheet (five times as large) comes with
 * ui/all-styles.ts before any other screen. Both are in a cascade layer: our own rules win, whichever comes first.
 */
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
