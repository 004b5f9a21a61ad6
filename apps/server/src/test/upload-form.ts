/** A part of a form: a text, or a file with its name. */
export type FormPart =
  | [name: string, value: string]
  | [name: string, content: Uint8Array | string, fileName: string]

/** A multipart form as a browser sends it, its parts in the order given. */
export async function uploadForm(
  ...parts: FormPart[]
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const form = new FormData()
  for (const [name, value, fileName] of parts) {
    if (fileName === undefined) form.append(name, value as string)
    else form.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), fileName)
  }
  const encoded = new Response(form)
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  }
}
