import { DndContext, DragOverlay, MouseSensor, TouchSensor, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core';
import { mayBuildAnywhere } from '@hatchway/domain/access.ts';
import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Locker } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useFacts } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { useInSight } from '../../ui/wall/in-sight.ts';
import type { Doors } from '../../ui/wall/model.ts';
import { doorView } from '../lockers/door-view.ts';
import { type Cabinet, type Site, useBuilderCommands } from './api.ts';
import styles from './builder.module.css';
import { WallsButton } from './walls-button.tsx';
import { CabinetDialog } from './cabinet-dialog.tsx';
import { ControllerPanel } from './controller-panel.tsx';
import { DeleteCabinet } from './delete-dialogs.tsx';
import { ColumnPanel, DoorPanel } from './door-panel.tsx';
import { dropPlace } from './drag.ts';
import { announcements } from './drag-words.ts';
import type { Action } from './edit.ts';
import { EditWall } from './edit-wall.tsx';
import { Tools } from './editor-tools.tsx';
import { focusAfter } from './focus-after.ts';
import { NumberingDialog } from './numbering-dialog.tsx';
import type { Piece } from './palette.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { columnsOf, doorAt, doorsOf, isSize, placeOf, type Place, type Sketch } from './sketch.ts';
import { TemplateDialog } from './template-dialog.tsx';
import { useEditor } from './use-editor.ts';
import { useUndoKeys } from './use-undo-keys.ts';
import { refusalWords } from './words.ts';

type Props = { cabinet: Cabinet; lockers: readonly Locker[]; sites: readonly Site[] };
type Open = 'numbering' | 'templates' | 'save' | 'details' | 'delete' | null;

/** One cabinet's wall in edit mode. */
export const EditorScreen = ({ cabinet, lockers, sites }: Props) => {
  const { t } = useTranslation();
  const commands = useBuilderCommands();
  const navigate = useNavigate();
  const anywhere = mayBuildAnywhere(useFacts());
  const editing = useEditor(cabinet, lockers, anywhere);
  const { editor, dirty, holdOf, faults } = editing;
  const { now } = editor;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [columnKey, setColumnKey] = useState<string | null>(null);
  const [several, setSeveral] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const [words, setWords] = useState('');
  const [held, setHeld] = useState<Piece | null>(null);
  const canvas = useRef<HTMLDivElement>(null);

  const act = (action: Action) => {
    const next = editing.act(action);
    // Said and shown; a stroke that was done makes the words of an older refusal go.
    setWords(next.refused === null ? '' : refusalWords(t, next.refused));
    if (next.refused !== null) return next;
    focusAfter(canvas.current, now, next.now, action);
    if (action.kind === 'remove') setChosen(new Set());
    if (action.kind === 'merge') setChosen(new Set(action.keys.filter((key) => doorAt(next.now, key) !== undefined)));
    return next;
  };
  const back = (kind: 'undo' | 'redo') => {
    if (act({ kind }).refused === null) setWords(t(kind === 'undo' ? 'builder.said.undone' : 'builder.said.redone'));
  };
  useUndoKeys(open === null ? back : null);

  const add = (piece: Piece, at?: Place) => {
    const place = placeOf(now, [...chosen].at(-1) ?? '');
    if (piece === 'column') {
      const { now: after } = act({ kind: 'add-column', at: at?.column === undefined ? now.length : at.column + 1 });
      const drawn = after.find(({ key }) => !now.some((one) => one.key === key));
      if (drawn === undefined) return;
      // What is added next goes into it.
      setChosen(new Set());
      setColumnKey(drawn.key);
      return;
    }
    const chosenColumn = now.findIndex((column) => column.key === columnKey);
    const column = place?.column ?? (chosenColumn >= 0 ? chosenColumn : Math.max(0, now.length - 1));
    const below = { column, row: place === null ? (now[column]?.doors.length ?? 0) : place.row + 1 };
    const next = act({ kind: 'add-door', door: { size: piece }, at: at ?? below });
    const made = doorsOf(next.now).find((door) => doorAt(now, door.key) === undefined);
    if (made === undefined) return;
    setColumnKey(null);
    setChosen(new Set([made.key]));
    setWords(t('builder.said.added', { tag: made.doorTag }));
  };

  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 120, tolerance: 8 } }),
  );
  const drop = ({ active, activatorEvent, delta }: DragEndEvent) => {
    setHeld(null);
    const box = canvas.current;
    const piece = active.id === 'column' ? 'column' : isSize(String(active.id)) ? (String(active.id) as Piece) : null;
    const start = 'touches' in activatorEvent ? (activatorEvent as TouchEvent).touches[0] : (activatorEvent as MouseEvent);
    if (box === null || piece === null || start === undefined) return;
    const [x, y] = [start.clientX + delta.x, start.clientY + delta.y];
    const { left, right, top, bottom } = box.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom) return;
    const place = dropPlace(box, now, x, y, null);
    if (place !== null) add(piece, place);
  };

  const save = useMutation({
    mutationFn: (sketch: Sketch) =>
      commands.changeCabinet(cabinet.id, { version: editing.version, columns: columnsOf(sketch, editor.base) }),
    onSuccess: (saved, sent) => isSaved(saved, sent),
  });
  const isSaved = (saved: Cabinet, sent: Sketch) => {
    editing.restart(saved, sent);
    commands.readWall(saved.id);
    setOpen((now) => (now === 'save' ? null : now));
    setChosen(new Set());
    setWords('');
    toast.ok(t('builder.saved', { name: saved.name }));
  };
  useEffect(() => {
    if (editing.own === undefined || save.isPending) return;
    save.reset();
    isSaved(cabinet, editing.own);
  });

  const byId = useMemo(() => new Map(lockers.map((locker) => [locker.id, locker])), [lockers]);
  const doors: Doors = useMemo(
    () =>
      Object.fromEntries(
        doorsOf(now).flatMap((door) => {
          if (door.hidden) return [];
          const locker = byId.get(door.lockerId ?? '');
          const fault = faults.get(door.key);
          const live = locker ? doorView(locker) : { look: null, ajar: false };
          const note = fault ? t(`builder.fault.${fault}`) : locker ? undefined : t('builder.isNew');
          return [[door.key, { ...live, id: door.key, tag: door.doorTag, size: door.size, ...(note === undefined ? {} : { note }) }]];
        }),
      ),
    [now, byId, faults, t],
  );
  const saved = useMemo(() => new Map(doorsOf(editor.base).map((door) => [door.key, door])), [editor.base]);
  const picked = useMemo(() => doorsOf(now).filter((door) => chosen.has(door.key)), [now, chosen]);
  const side = useRef<HTMLDivElement>(null);
  useInSight(side, [...chosen].at(-1));
  const columnAt = now.findIndex((column) => column.key === columnKey);
  const column = now[columnAt];

  return (
    <DndContext
      sensors={sensors}
      onDragStart={({ active }) =>
        setHeld(active.id === 'column' ? 'column' : isSize(String(active.id)) ? (String(active.id) as Piece) : null)
      }
      onDragEnd={drop}
      onDragCancel={() => setHeld(null)}
      accessibility={{ screenReaderInstructions: { draggable: t('builder.paletteHint') }, announcements: announcements(t) }}
    >
      <UnsavedGuard dirty={dirty} />
      <PageHeader
        title={cabinet.name}
        intro={`${t('builder.cabinetNumber', { number: cabinet.number })} · ${cabinet.siteName}`}
        actions={
          <>
            <WallsButton search={{}} variant="default">
              {t('builder.all')}
            </WallsButton>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" leftSection={<IconDots size={18} aria-hidden />}>
                  {t('builder.more')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => setOpen('details')}>{t('builder.details')}</Menu.Item>
                <Menu.Item
                  renderRoot={(props: object) => <Link to="/manage/lockers" search={{ cabinet: cabinet.id, view: 'labels' }} {...props} />}
                >
                  {t('builder.labels')}
                </Menu.Item>
                <Menu.Item c="red" onClick={() => setOpen('delete')}>
                  {t('builder.deleteThis')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button disabled={!dirty || faults.size > 0} onClick={() => setOpen('save')}>
              {t('builder.save')}
            </Button>
          </>
        }
      >
        {/* Its room is kept, so that nothing jumps under the first stroke. */}
        <p className={styles.quiet}>{dirty ? t('builder.unsaved') : '\u00a0'}</p>
      </PageHeader>
      {editing.overtaken && (
        <div role="alert" className={styles.note}>
          <strong>{t('builder.overtaken')}</strong>
          <p>{t('builder.overtakenText')}</p>
          <div className={styles.row}>
            <Button size="sm" onClick={() => editing.rebase('theirs')}>
              {t('builder.showTheirs')}
            </Button>
            <Button size="sm" variant="default" onClick={() => editing.rebase('mine')}>
              {t('builder.keepMine')}
            </Button>
          </div>
        </div>
      )}
      <Tools
        editor={editor}
        anywhere={anywhere}
        several={several}
        onBack={back}
        onAdd={(piece) => add(piece)}
        onNumber={() => setOpen('numbering')}
        onTemplates={() => setOpen('templates')}
        onSeveral={setSeveral}
      />
      <output className={styles.said} data-refused={editor.refused !== null || undefined}>
        {words}
      </output>
      {faults.size > 0 && (
        <div role="alert" className={styles.note}>
          <strong>{t('builder.faultsTitle')}</strong>
          <ul className={styles.list}>
            {[...faults].slice(0, 8).map(([key, fault]) => (
              <li key={key}>
                {doorAt(now, key)?.doorTag}: {t(`builder.fault.${fault}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.halves}>
        <div ref={canvas}>
          <EditWall
            name={cabinet.name}
            detail={t('builder.cabinetNumber', { number: cabinet.number })}
            online={cabinet.connection === 'online'}
            sketch={now}
            doors={doors}
            chosen={chosen}
            chosenColumn={column?.key ?? null}
            onChoose={(keys) => {
              setColumnKey(null);
              setChosen(keys);
            }}
            onChooseColumn={(key) => {
              setChosen(new Set());
              setColumnKey(key === columnKey ? null : key);
            }}
            act={act}
            say={setWords}
            several={several}
          />
          <p className={styles.keys}>{t('builder.keys')}</p>
        </div>
        <div ref={side} className={styles.side} data-chosen={picked.length > 0 || column !== undefined || undefined}>
          {picked.length > 0 ? (
            <DoorPanel doors={picked} lockers={byId} faults={faults} saved={saved} act={act} />
          ) : column ? (
            <ColumnPanel column={column} number={columnAt + 1} act={act} />
          ) : (
            <Panel title={t('builder.chooseDoor')}>
              <p className={styles.quiet}>{t('builder.chooseDoorText')}</p>
            </Panel>
          )}
          <ControllerPanel cabinet={cabinet} />
        </div>
      </div>
      <DragOverlay dropAnimation={null}>
        {held !== null && (
          <span className={`${styles.piece} ${styles.carried}`} data-carried>
            {held === 'column' ? t('builder.addColumn') : held}
          </span>
        )}
      </DragOverlay>
      {open === 'numbering' && (
        <NumberingDialog
          cabinetId={cabinet.id}
          sketch={now}
          // A stroke back may have taken some of them away.
          chosen={new Set(picked.map((door) => door.key))}
          holdOf={holdOf}
          onApply={(tags) => {
            act({ kind: 'tags', tags });
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'templates' && (
        <TemplateDialog
          cabinetId={cabinet.id}
          base={editor.base}
          next={editor.next}
          onPick={(sketch) => {
            act({ kind: 'replace', sketch });
            setChosen(new Set());
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'save' && (
        <SaveDialog
          cabinetId={cabinet.id}
          base={editor.base}
          now={now}
          holdOf={holdOf}
          busy={save.isPending}
          error={save.error}
          onSave={() => save.mutate(now)}
          onClose={() => {
            save.reset();
            setOpen(null);
          }}
        />
      )}
      {open === 'details' && <CabinetDialog cabinet={cabinet} sites={sites} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <DeleteCabinet
          cabinet={cabinet}
          onClose={() => setOpen(null)}
          onGone={() => void navigate({ to: '/manage/lockers', search: {}, ignoreBlocker: true })}
        />
      )}
    </DndContext>
  );
};
