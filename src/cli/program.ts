import { Command } from 'commander';
import { packageVersion } from '../lib/package-version.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addBudgetsCommands } from './budgets-commands.ts';
import type { CommandContext } from './command-context.ts';
import { addConfigCommands } from './config-commands.ts';
import { addConnectCommand } from './connect-command.ts';
import { addConsoleCommands } from './console-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addExtractCommand } from './extract-command.ts';
import { addFilesCommands } from './files-commands.ts';
import { addImagesCommands } from './images-commands.ts';
import { addKeysCommands } from './keys-commands.ts';
import { addKnowledgeCommands } from './knowledge-commands.ts';
import { addModelsCommands } from './models-commands.ts';
import { addOperatorsCommands } from './operators-commands.ts';
import { addPaintCommand } from './paint-command.ts';
import { addResponsesCommands } from './responses-commands.ts';
import { addRollbackCommand } from './rollback-command.ts';
import { addSchemaCommands } from './schema-commands.ts';
import { addServeCommand } from './serve-command.ts';
import { addStacksCommands } from './stacks-commands.ts';
import { addUsageCommand } from './usage-command.ts';

export function buildProgram(context: CommandContext): Command {
  const program = new Command('stackgate')
    .description('A self-hosted AI gateway: chat, messages, images, extraction and PDFs under one API key.')
    .version(packageVersion())
    .option('--config <file>', 'the configuration file (default: $STACKGATE_CONFIG, else ./stackgate.yaml)')
    .option('--json', 'print results as JSON')
    .configureOutput({ writeOut: context.terminal.out, writeErr: context.terminal.err })
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', HELP);
  addServeCommand(program, context);
  addSchemaCommands(program, context);
  addConfigCommands(program, context);
  addStacksCommands(program, context);
  addKeysCommands(program, context);
  addBudgetsCommands(program, context);
  addConsoleCommands(program, context);
  addOperatorsCommands(program, context);
  addAuditCommands(program, context);
  addUsageCommand(program, context);
  addModelsCommands(program, context);
  addPaintCommand(addImagesCommands(program, context), context);
  addResponsesCommands(program, context);
  addFilesCommands(program, context);
  addKnowledgeCommands(program, context);
  addExtractCommand(program, context);
  addBackupCommands(program, context);
  addRollbackCommand(program, context);
  addDoctorCommand(program, context);
  addConnectCommand(program, context);
  return program;
}

const HELP = `
Examples:
  stackgate                                   run with built-in defaults
  stackgate serve --config stackgate.yaml     run with a configuration
  stackgate keys create shop web              make an API key
  stackgate doctor                            find out what is wrong

Exit codes: 0 done, 1 failed, 2 wrong arguments or configuration, 3 refused, 4 database or data folder unavailable.`;
