/**
 * What we use of `assemblyscript/asc`, whose own types declare globals for the whole project, such as
 * `at(index): T` of arrays, which TypeScript then never takes for undefined.
 */
export declare function main(
  args: readonly string[],
  options: { writeFile(name: string, content: string | Uint8Array): void },
): Promise<{ error: Error | null; stderr: { toString(): string } }>
