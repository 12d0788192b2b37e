/* Applies the chosen theme before the page is painted. A module would run after that. */
{
  const theme = localStorage.getItem('rowhouse.theme');
  document.documentElement.style.colorScheme = theme ?? '';
  const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  // The server's tint replaces it.
  if (isDark) document.querySelector('meta[name=theme-color]')?.setAttribute('content', '#1A1E22');
}
