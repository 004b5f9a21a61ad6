// Runs before the page is painted, as a script of its own: the page is already dark when it appears.
// A cookie keeps the choice, because logging out clears the local storage. `theme-choice.ts` writes it.
{
  const root = document.documentElement
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.themeChoice = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1] ?? 'auto'
  root.dataset.mantineColorScheme =
    root.dataset.themeChoice === 'auto' ? (isDark ? 'dark' : 'light') : root.dataset.themeChoice
}
