import { Menu as Base } from '@base-ui/react/menu';
import { Icon } from './icon.tsx';
import type { MenuProps } from './menu.tsx';

/** A menu that is open at first. */
export function OpenMenu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50 outline-none">
          <Base.Popup className="popup min-w-44 p-1">
            {items.map(({ label, icon, onSelect, danger = false, disabled = false }) => (
              <Base.Item
                key={label}
                disabled={disabled}
                onClick={onSelect}
                className={`flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover ${danger ? 'text-bad' : ''}`}
              >
                {icon !== undefined && <Icon name={icon} size={15} />}
                {label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
