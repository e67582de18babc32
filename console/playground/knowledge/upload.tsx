import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { API, playground } from '../../api/client.ts';
import { Problem } from '../../ui/notes.tsx';
import { DropZone } from '../drop-zone.tsx';

const ACCEPT = '.md,.txt,.html,.pdf,.docx,.csv,.tsv,text/*,application/pdf';

/** Uploads files one after the other. XMLHttpRequest, because fetch reports no upload progress. */
export function Upload({ stack }: { stack: string }) {
  const client = useQueryClient();
  const [sent, setSent] = useState({ share: 0, name: '' });
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) await sendFile(stack, file, (share) => setSent({ share, name: file.name }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['knowledge'] }),
  });
  return (
    <div className="flex flex-col gap-3">
      <DropZone
        compact
        multiple
        label="Add documents"
        hint="Markdown, text, HTML, PDF, DOCX, CSV"
        accept={ACCEPT}
        onFiles={(files) => upload.mutate(files)}
      />
      {upload.isPending && (
        <div>
          <div className="flex justify-between gap-3 text-xs text-muted">
            <span className="truncate">{sent.name}</span>
            <span className="tabular">{Math.round(100 * sent.share)} %</span>
          </div>
          <div
            role="progressbar"
            aria-label={`Upload of ${sent.name}`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(100 * sent.share)}
            className="mt-1 h-1 overflow-hidden rounded-full bg-sunken"
          >
            <div
              className="h-full rounded-full bg-accent transition-[width]"
              style={{ width: `${100 * sent.share}%` }}
            />
          </div>
        </div>
      )}
      {upload.isError && <Problem error={upload.error} />}
    </div>
  );
}

function sendFile(stack: string, file: File, onShare: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${API}${playground(stack, '/v1/knowledge')}`);
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new ApiError(request.status, parsed(request.responseText)));
    request.onerror = () => reject(new TypeError('The upload was cut.'));
    const form = new FormData();
    form.append('file', file);
    onShare(0);
    request.send(form);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
