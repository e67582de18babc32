import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { IconName } from '../ui/icon.tsx';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: 'Operate' | 'Playground';
  readonly page: LazyExoticComponent<ComponentType>;
  /** Whether it is hidden from a session that was opened with an API key. */
  readonly isForPeople?: boolean;
}

/** A page that is loaded when it is opened. */
function later<M, K extends keyof M>(load: () => Promise<M>, name: K) {
  return lazy(async () => ({ default: (await load())[name] as ComponentType }));
}

/** Every page, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Overview',
    icon: 'overview',
    group: 'Operate',
    page: later(() => import('../pages/overview.tsx'), 'OverviewPage'),
  },
  {
    path: '/stacks',
    title: 'Stacks',
    icon: 'stack',
    group: 'Operate',
    page: later(() => import('../pages/stacks.tsx'), 'StacksPage'),
  },
  {
    path: '/keys',
    title: 'Keys',
    icon: 'key',
    group: 'Operate',
    page: later(() => import('../pages/keys.tsx'), 'KeysPage'),
  },
  {
    path: '/usage',
    title: 'Usage',
    icon: 'usage',
    group: 'Operate',
    page: later(() => import('../pages/usage.tsx'), 'UsagePage'),
  },
  {
    path: '/requests',
    title: 'Requests',
    icon: 'requests',
    group: 'Operate',
    page: later(() => import('../pages/requests.tsx'), 'RequestsPage'),
  },
  {
    path: '/audit',
    title: 'Audit',
    isForPeople: true,
    icon: 'audit',
    group: 'Operate',
    page: later(() => import('../pages/audit.tsx'), 'AuditPage'),
  },
  {
    path: '/playground/chat',
    title: 'Chat',
    icon: 'chat',
    group: 'Playground',
    page: later(() => import('../playground/chat/chat-page.tsx'), 'ChatPage'),
  },
  {
    path: '/playground/images',
    title: 'Images',
    icon: 'image',
    group: 'Playground',
    page: later(() => import('../playground/images/images-page.tsx'), 'ImagesPage'),
  },
  {
    path: '/playground/extract',
    title: 'Extract',
    icon: 'extract',
    group: 'Playground',
    page: later(() => import('../playground/extract/extract-page.tsx'), 'ExtractPage'),
  },
  {
    path: '/playground/pdf',
    title: 'PDF',
    icon: 'pdf',
    group: 'Playground',
    page: later(() => import('../playground/pdf/pdf-page.tsx'), 'PdfPage'),
  },
  {
    path: '/playground/knowledge',
    title: 'Knowledge',
    icon: 'knowledge',
    group: 'Playground',
    page: later(() => import('../playground/knowledge/knowledge-page.tsx'), 'KnowledgePage'),
  },
  {
    path: '/playground/schemas',
    title: 'Schemas',
    icon: 'schema',
    group: 'Playground',
    page: later(() => import('../playground/schemas/schemas-page.tsx'), 'SchemasPage'),
  },
];

export const StackPage = later(() => import('../pages/stack.tsx'), 'StackPage');
export const LoginPage = later(() => import('../pages/login.tsx'), 'LoginPage');
export const SetupPage = later(() => import('../pages/setup.tsx'), 'SetupPage');
