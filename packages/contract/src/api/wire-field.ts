import { type Field, type FieldKey, type FieldParts, partsOf } from '#model/field.ts'
import {
  type Rule,
  ruleSettings,
  type RuleSetting,
  type RuleType,
  ruleTypes,
  type SettingValues,
} from '#model/rule.ts'

/**
 * Fields with the names of the wire: in calls, in the database, and in the dictionaries of the command line.
 * All other code uses the names of `model/field`. See docs/BEHAVIOUR.md#fields-and-rules.
 */

export const ruleNumbers = { text: 0, number: 1, date: 2, pattern: 3, list: 4 } as const satisfies Record<
  RuleType,
  number
>
export type RuleNumber = (typeof ruleNumbers)[RuleType]
/** undefined if the number is not that of a rule type. */
export const ruleTypeOf = (number: unknown): RuleType | undefined =>
  ruleTypes.find((type) => ruleNumbers[type] === number)

/** The settings of a rule by their wire names. */
export type RuleConfig = Readonly<Record<string, unknown>>
/** In calls, `ruleConfig` is JSON text. */
export type WireField<Config = RuleConfig> = {
  itemName: string
  description: string
  category: string
  ruleType: RuleNumber
  isRequired: boolean
  /** Absent in fields that the database stored before it existed. */
  identifiesRow?: boolean
  ruleConfig: Config
}

/** Names that differ on the wire. */
const otherNames: Readonly<Partial<Record<FieldKey, string>>> = {
  name: 'itemName',
  required: 'isRequired',
  type: 'ruleType',
  minimum: 'min',
  maximum: 'max',
  pattern: 'regularExpression',
  options: 'optionSetValues',
}
const fieldKeys = new Map(Object.entries(otherNames).map(([key, name]) => [name, key as FieldKey]))

export const wireName = (key: FieldKey): string => otherNames[key] ?? key
/** The reverse of `wireName`. An unknown name is returned as it is. */
export const fieldKey = (name: string): string => fieldKeys.get(name) ?? name
export const wireSettings = (type: RuleType): string[] => ruleSettings[type].map(wireName)

export function fieldToWire(field: Field): Required<WireField> {
  const { name, description, category, required, identifiesRow, ...rule } = partsOf(field)
  const { type, ...settings }: { type: RuleType } & SettingValues = rule
  const named = ruleSettings[type].map((setting: RuleSetting) => [wireName(setting), settings[setting]])
  return {
    itemName: name,
    description,
    category,
    ruleType: ruleNumbers[type],
    isRequired: required,
    identifiesRow,
    ruleConfig: Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  }
}

/** A field as a call brings it and a proposal returns it. */
export function fieldToBody(field: Field): Required<WireField<string>> {
  const wire = fieldToWire(field)
  return { ...wire, ruleConfig: JSON.stringify(wire.ruleConfig) }
}

/** Converts a field that was already checked. */
export const fieldFromWire = ({ ruleConfig, ...wire }: WireField<RuleConfig | string>): Field => {
  const config = typeof ruleConfig === 'string' ? (JSON.parse(ruleConfig) as RuleConfig) : ruleConfig
  return {
    name: wire.itemName,
    description: wire.description,
    category: wire.category,
    required: wire.isRequired,
    ...(wire.identifiesRow && { identifiesRow: true }),
    rule: ruleFromWire(wire.ruleType, config) as Rule,
  }
}

/** Converts a field of a reply, where two names differ. */
export const fieldFromReply = ({
  columnName: itemName,
  ruleConfigJson: ruleConfig,
  ...wire
}: Omit<WireField, 'itemName' | 'ruleConfig'> & { columnName: string; ruleConfigJson: string }): Field =>
  fieldFromWire({ ...wire, itemName, ruleConfig })

/** Converts a field that is not checked yet; of `ruleConfig`, only the settings of its type. */
export const partsFromWire = (
  wire: Readonly<Record<string, unknown>>,
  ruleConfig: RuleConfig,
): FieldParts => ({
  name: wire.itemName,
  description: wire.description,
  category: wire.category,
  required: wire.isRequired,
  identifiesRow: wire.identifiesRow,
  ...ruleFromWire(wire.ruleType, ruleConfig),
})

/** null means absent. */
function ruleFromWire(ruleType: unknown, ruleConfig: RuleConfig): FieldParts {
  const type = ruleTypeOf(ruleType)
  if (type === undefined) return { type }
  const settings = ruleSettings[type].map((setting) => [setting, ruleConfig[wireName(setting)]])
  return { type, ...Object.fromEntries(settings.filter(([, value]) => value != null)) }
}
