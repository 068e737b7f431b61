/** Mantine's whole style sheet; single components' sheets miss what they share, silently. */
import '@mantine/core/styles.layer.css';
