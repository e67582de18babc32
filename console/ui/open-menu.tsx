import { Menu as Base } from '@base-ui/react/menu';
import { Icon } from './icon.tsx';
import type { MenuItem, MenuProps } from './menu.tsx';
import { useSurroundings } from './surroundings.ts';

/** A menu that is open at first. */
export function OpenMenu({ trigger, items, align = 'end' }: MenuProps) {
  const [button, surroundings] = useSurroundings();
  const chosen = items.find((item) => item.chosen === true);
  const rows = items.map((item) => <Row key={item.label} item={item} />);
  return (
    <Base.Root defaultOpen>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal container={surroundings}>
        <Base.Positioner sideOffset={4} align={align} className="z-50 outline-none">
          <Base.Popup className="popup min-w-44 p-1">
            {chosen === undefined ? rows : <Base.RadioGroup value={chosen.label}>{rows}</Base.RadioGroup>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Row({
  item: { label, icon, onSelect, danger = false, disabled = false, chosen },
}: {
  item: MenuItem;
}) {
  const shared = {
    disabled,
    onClick: onSelect,
    className: `flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-hover ${danger ? 'text-bad' : ''}`,
    children: (
      <>
        {icon !== undefined && <Icon name={icon} size={15} />}
        {label}
      </>
    ),
  };
  if (chosen === undefined) return <Base.Item {...shared} />;
  return <Base.RadioItem {...shared} value={label} closeOnClick />;
}
