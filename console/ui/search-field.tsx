import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

const SEARCH_AFTER_MS = 250;

/** A search that asks when typing pauses. */
export function SearchField({
  label,
  value,
  onSearch,
  className = 'w-full sm:w-56',
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  className?: string;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSearch(typed), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  return (
    <div className={`relative ${className}`}>
      <Icon name="search" size={14} className="pointer-events-none absolute top-2.5 left-2.5 text-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        className="field pl-8"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}
