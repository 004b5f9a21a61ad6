import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useId } from 'react'
import classes from './theme-switch.module.css'

export const themes = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
] as const

/** Chooses the theme. "System" follows the setting of the computer or phone. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const name = useId()
  return (
    <fieldset className={classes.switch}>
      <legend className={classes.legend}>Theme</legend>
      {themes.map(({ value, label, Icon }) => (
        <label key={value} className={classes.choice}>
          <input
            type="radio"
            name={name}
            className={classes.input}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={15} stroke={1.8} aria-hidden />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
