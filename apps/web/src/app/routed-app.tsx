import '#app/mantine.css'
import { RouterProvider } from 'react-router/dom'
import { router } from './router.tsx'

/** All screens by their addresses. */
export const RoutedApp = () => <RouterProvider router={router} />
