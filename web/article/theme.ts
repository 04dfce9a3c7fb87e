/**
 * Runs before the first paint, so a stored choice of theme causes no flash. The choice is an attribute of the root
 * element; colors and elements follow its `color-scheme`.
 */
try {
  const chosen = localStorage.getItem('tied-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // Storage may be forbidden; then the system's setting applies.
}

// Space for figures is reserved only if scripts will draw them.
document.documentElement.dataset['scripts'] = '';
