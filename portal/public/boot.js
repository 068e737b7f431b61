// Runs before anything is drawn, so that no page flashes in the other theme or density. A file of its own because scripts in the page are not allowed.
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  let theme = null;
  let density = null;
  try {
    theme = localStorage.getItem('color-theme');
    density = localStorage.getItem('table-density');
  } catch {
    // Storage may be forbidden; the system's preference holds then.
  }
  root.dataset.mantineColorScheme = theme === 'dark' || theme === 'light' ? theme : dark ? 'dark' : 'light';
  root.dataset.density = density === 'compact' ? 'compact' : 'comfortable';
})();
