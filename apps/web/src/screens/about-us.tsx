import { Page } from '#ui/layout/page.tsx'
import { AboutText } from '#screens/about-text.tsx'

export function AboutUs() {
  return (
    <Page
      title="About Veridict"
      narrow
      lead="A verdict on every cell of your file, and a way to put it right."
    >
      <AboutText />
    </Page>
  )
}
