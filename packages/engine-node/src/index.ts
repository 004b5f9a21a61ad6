/** The engine on Node: files in, verdicts and error files out. */
export { bytesSource } from '@veridict/engine/byte-source'
export { nodePlatform } from '#node-platform.ts'
export { proposeFile, type ValidationOptions, validateFile } from '#read-files.ts'
export {
  type ErrorFileKind,
  writeCorrectedFile,
  writeErrorFile,
  writeTemplateFile,
  type WriteOptions,
  type WrittenCopy,
} from '#write-files.ts'
export { withFile } from '#with-file.ts'
