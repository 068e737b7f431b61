// Runs before the first paint, so that a chosen theme does not flash. The portal keeps the choice under the same key.
try {
  var theme = localStorage.getItem('color-theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the page then follows the system.
}
