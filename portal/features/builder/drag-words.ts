import type { TFunction } from 'i18next';

/** What a screen reader says while something is dragged onto the wall. */
export const announcements = (t: TFunction) => {
  const what = (id: string | number) => (id === 'column' ? t('builder.addColumn') : t('builder.addDoor', { size: String(id) }));
  return {
    onDragStart: ({ active }: { active: { id: string | number } }) => t('builder.dragging', { what: what(active.id) }),
    onDragOver: () => undefined,
    onDragEnd: ({ active, over }: { active: { id: string | number }; over: unknown }) =>
      t(over ? 'builder.dropped' : 'builder.dropCancelled', { what: what(active.id) }),
    onDragCancel: ({ active }: { active: { id: string | number } }) => t('builder.dropCancelled', { what: what(active.id) }),
  };
};
