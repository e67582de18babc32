"""Records a training pass as a CUDA graph and replays it: launching its thousand kernels one by one takes longer than they do."""

import torch

WARM_UPS = 3  # passes that compile what is compiled and fill the allocator before anything is recorded


def leaves(tree):
    """The tensors of a batch, in a fixed order."""
    if torch.is_tensor(tree):
        return [tree]
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in leaves(tree[key])]
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, list) else []


class RecordedPass:
    """Loss and gradients of batches of one kind. Calling it leaves the gradients in the parameters."""

    def __init__(self, loss_of, parameters, batch, pool):
        self.batch, self.parameters = batch, parameters
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(WARM_UPS):
                loss_of(batch).backward()
                self.forget()
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        # Thread-local: the loader pins memory in a thread of its own meanwhile.
        with torch.cuda.graph(self.graph, pool=pool, capture_error_mode="thread_local"):
            self.loss = loss_of(batch)
            self.loss.backward()
        self.gradients = [p.grad for p in parameters]
        self.forget()

    def forget(self):
        for p in self.parameters:
            p.grad = None

    def __call__(self, batch):
        for own, fresh in zip(leaves(self.batch), leaves(batch)):
            own.copy_(fresh, non_blocking=True)
        self.graph.replay()
        for p, gradient in zip(self.parameters, self.gradients):
            p.grad = gradient
        return self.loss.detach().clone()


class Recorder:
    """A recorded pass for each kind of batch; all share one pool of memory, since they run one after the other."""

    def __init__(self, parameters):
        self.parameters, self.passes = list(parameters), {}
        self.pool = torch.cuda.graph_pool_handle()

    def knows(self, kind):
        return kind in self.passes

    def record(self, kind, loss_of, batch):
        """The batch lies on the device; later ones are copied over it."""
        self.passes[kind] = RecordedPass(loss_of, self.parameters, batch, self.pool)

    def run(self, kind, batch):
        return self.passes[kind](batch)
