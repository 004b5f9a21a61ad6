/**
 * An endpoint's path with its `:names` replaced by `params` and `query` appended; undefined values are left
 * out.
 */
export function callPath(
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  ).toString()
  return search === '' ? filled : `${filled}?${search}`
}
