import { MantineProvider } from '@mantine/core'
import { renderToString } from 'react-dom/server'
import { Login } from '#screens/login.tsx'
import { resolveThemeVariables, theme } from './theme.ts'

/** The login page as HTML. The build runs it (`first-paint.ts`). */
export const prerenderLogin = (): string =>
  renderToString(
    <MantineProvider theme={theme} cssVariablesResolver={resolveThemeVariables} defaultColorScheme="auto">
      <Login />
    </MantineProvider>,
  )
