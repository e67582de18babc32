import { describeGallery } from './describe-gallery.ts';
import { MemoryGallery } from './memory-gallery.ts';

describeGallery('MemoryGallery', async () => new MemoryGallery());
