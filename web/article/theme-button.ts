type Theme = 'light' | 'dark';

const root = document.documentElement;
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function current(): Theme {
  const chosen = root.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark.matches ? 'dark' : 'light';
}

/** The button names the theme that it switches to. It needs scripts, so it is hidden until this runs. */
export function setUpThemeButton(button: HTMLButtonElement): void {
  const label = button.querySelector('.theme-label');
  const show = (): void => {
    const next = current() === 'dark' ? 'Light' : 'Dark';
    if (label !== null) label.textContent = next;
    button.title = `Switch to ${next.toLowerCase()} colors`;
  };
  button.addEventListener('click', () => {
    const next: Theme = current() === 'dark' ? 'light' : 'dark';
    root.dataset['theme'] = next;
    try {
      localStorage.setItem('tied-theme', next);
    } catch {
      // The choice lasts until the page closes.
    }
    show();
  });
  systemIsDark.addEventListener('change', show);
  show();
  button.hidden = false;
}
