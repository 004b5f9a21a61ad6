import type { FieldKey, UncheckedField, UncheckedRule } from '#model/check-field.ts'
import type { Field } from '#model/field.ts'
import { type Rule, ruleSettings, type RuleType, type SettingValues } from '#model/rule.ts'

/**
 * Fields with the names of the wire: in calls, in the database, and in the dictionaries of the command line.
 * All other code uses the names of `model/field`. See docs/BEHAVIOUR.md#fields-and-rules.
 */

/** The wire's numbers of the rule types. */
export const ruleNumbers = { text: 0, number: 1, date: 2, pattern: 3, list: 4 } as const satisfies Record<
  RuleType,
  number
>
export type RuleNumber = (typeof ruleNumbers)[RuleType]

/** The settings of a rule by their wire names. */
export type RuleConfig = Readonly<Record<string, unknown>>
export type WireField = {
  itemName: string
  description: string
  category: string
  ruleType: RuleNumber
  isRequired: boolean
  identifiesRow: boolean
  ruleConfig: RuleConfig
}

/**
 * A field as it is stored in the database: a field that was stored before an option existed does not have the
 * option.
 */
export type StoredWireField = Omit<WireField, 'identifiesRow'> & Partial<WireField>

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

/** The wire's name of a part of a field or a setting of its rule. */
export const wireName = (key: FieldKey): string => otherNames[key] ?? key
/** The reverse of `wireName`. An unknown name is returned as it is. */
export const fieldKey = (name: string): string => fieldKeys.get(name) ?? name
/** The wire's names of the settings of a rule type. */
export const wireSettings = (type: RuleType): string[] => ruleSettings[type].map(wireName)

const typesByNumber = new Map<unknown, RuleType>(
  Object.entries(ruleNumbers).map(([type, number]) => [number, type as RuleType]),
)
/** undefined if the number is not that of a rule type. */
export const ruleTypeOf = (number: unknown): RuleType | undefined => typesByNumber.get(number)

export function ruleToWire(rule: Rule): { ruleType: RuleNumber; ruleConfig: RuleConfig } {
  const settings: SettingValues = rule
  const named = ruleSettings[rule.type].map((setting) => [wireName(setting), settings[setting]])
  return {
    ruleType: ruleNumbers[rule.type],
    ruleConfig: Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  }
}

/** Converts a rule that was already checked. null means absent. */
export const ruleFromWire = (ruleType: RuleNumber, ruleConfig: RuleConfig): Rule =>
  uncheckedRule(ruleType, ruleConfig) as Rule

export const fieldToWire = ({
  name,
  description,
  category,
  required,
  identifiesRow = false,
  rule,
}: Field): WireField => {
  const { ruleType, ruleConfig } = ruleToWire(rule)
  return { itemName: name, description, category, ruleType, isRequired: required, identifiesRow, ruleConfig }
}

/** Converts a field that was already checked. */
export const fieldFromWire = ({ identifiesRow, ...wire }: StoredWireField): Field => ({
  ...(uncheckedField(wire, wire.ruleConfig) as Field),
  ...(identifiesRow && { identifiesRow }),
})

/** Converts a field that is not checked yet; of `ruleConfig`, only the settings of its type. */
export const uncheckedField = (
  wire: Readonly<Record<string, unknown>>,
  ruleConfig: RuleConfig,
): UncheckedField => ({
  name: wire.itemName,
  description: wire.description,
  category: wire.category,
  required: wire.isRequired,
  identifiesRow: wire.identifiesRow,
  rule: uncheckedRule(wire.ruleType, ruleConfig),
})

function uncheckedRule(ruleType: unknown, ruleConfig: RuleConfig): UncheckedRule {
  const type = ruleTypeOf(ruleType)
  if (type === undefined) return { type }
  const entries = ruleSettings[type].flatMap((setting) => {
    const value = ruleConfig[wireName(setting)]
    return value == null ? [] : [[setting, value]]
  })
  return { type, ...Object.fromEntries(entries) }
}

/** A field as a call brings it and a proposal returns it: `ruleConfig` is JSON text. */
export type FieldBody = Omit<WireField, 'ruleConfig'> & { ruleConfig: string }

export function fieldToBody(field: Field): FieldBody {
  const wire = fieldToWire(field)
  return { ...wire, ruleConfig: JSON.stringify(wire.ruleConfig) }
}

/** Converts a field that was already checked. */
export const fieldFromBody = ({ ruleConfig, ...body }: FieldBody): Field =>
  fieldFromWire({ ...body, ruleConfig: JSON.parse(ruleConfig) as RuleConfig })

/** A field as replies have it. */
export type FieldReply = Omit<FieldBody, 'itemName' | 'ruleConfig'> & {
  columnName: string
  ruleConfigJson: string
}

/** A field of a reply, in our own words. */
export const fieldFromReply = ({
  columnName: itemName,
  ruleConfigJson: ruleConfig,
  ...content
}: FieldReply): Field => fieldFromBody({ ...content, itemName, ruleConfig })
