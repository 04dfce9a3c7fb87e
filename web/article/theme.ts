/**
 * Runs before the page is painted: a reader who chose light or dark on an earlier visit sees no flash of the other.
 * The choice is an attribute of the root element; colours and our elements follow its `color-scheme`.
 */
try {
  const chosen = localStorage.getItem('tied-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // Storage may be forbidden; then the system's setting holds.
}

// Places for figures that scripts will draw are reserved only where scripts run.
document.documentElement.dataset['scripts'] = '';
