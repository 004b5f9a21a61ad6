import { escapeHtml } from '#platform/escape-html.ts'
import type { OpenApiDocument, Operation } from '#platform/http/openapi-document.ts'

/** The OpenAPI document as one page, without scripts and other files, so that the strict CSP allows it. */
export function apiDocsPage(document: OpenApiDocument): string {
  const sections = document.tags.map(({ name }) => sectionOf(name, document)).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(document.info.title)} API</h1></header>
<main>
<p>${escapeHtml(document.info.description)} As data:
<a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>Every call has the header <code>ApiKey</code>, and after login <code>Authorization: Bearer …</code>.
The payload of a success is under <code>value</code>.</p>
<nav>${document.tags.map(({ name }) => linkTo(name)).join(' ')}</nav>
${sections}
</main>
</body>
</html>
`
}

function sectionOf(tag: string, document: OpenApiDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => callOf(method, path, operation)),
  )
  return `<section id="${escapeHtml(tag)}"><h2>${escapeHtml(tag)}</h2>\n${calls.join('\n')}</section>`
}

const linkTo = (tag: string): string => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`

function callOf(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters, requestBody, responses } = operation
  const blocks = [
    parameters ? block('Parameters', parameters) : '',
    requestBody ? block('Request', requestBody['content']) : '',
    ...Object.entries(responses).map(([status, response]) =>
      block(`${status} ${String(response['description'])}`, response['content']),
    ),
  ]
  const name = `<b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>`
  return `<details><summary>${name} <span>${escapeHtml(summary)}</span></summary>
<p>${escapeHtml(description)}</p>
${blocks.join('')}</details>`
}

const block = (title: string, content: unknown): string =>
  `<h3>${escapeHtml(title)}</h3><pre>${escapeHtml(JSON.stringify(content, null, 2))}</pre>`

const STYLE = `
:root { color-scheme: light; --accent: #8f1d22 }
body { margin: 0; font: 16px/1.5 'Segoe UI', system-ui, sans-serif; color: #222; background: #faf8f7 }
header { background: #741519; color: #fff; height: 70px; display: flex; align-items: center; padding: 0 24px }
h1 { font-size: 22px; margin: 0 } h2 { margin: 32px 0 8px } h3 { font-size: 14px; margin: 16px 0 4px }
main { max-width: 960px; margin: 0 auto; padding: 16px 24px 64px }
a { color: var(--accent) } nav a { margin-right: 12px }
details { background: #fff; border: 1px solid #e6e0de; border-radius: 8px; margin: 8px 0; padding: 10px 16px }
summary { cursor: pointer } summary span { color: #6b6b6b; margin-left: 8px }
b { display: inline-block; min-width: 64px; font-size: 13px }
b.get { color: #1f5f8b } b.post { color: #2a6b2f } b.put { color: #8a5a00 } b.delete { color: #8f1d22 }
pre { background: #f4f1f0; padding: 12px; border-radius: 6px; overflow: auto; max-height: 320px }
pre { font-size: 13px; margin: 0 }
`
