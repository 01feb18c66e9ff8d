"""ResNet-50 as a user of PyTorch has it: torchinfo's table of its layers, and gradients of one unit at many inputs.

All is in single precision, as PyTorch has it by default.
"""

import torch
import torchinfo
from torch import nn

__all__ = ["ResNet50"]


class Bottleneck(nn.Module):
    """Three convolutions around a shortcut (He et al. 2016)."""

    def __init__(self, inputs, width, stride):
        super().__init__()
        self.branch = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, 4 * width, 1, bias=False),
            nn.BatchNorm2d(4 * width),
        )
        same = stride == 1 and inputs == 4 * width
        link = [nn.Conv2d(inputs, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width)]
        self.shortcut = nn.Identity() if same else nn.Sequential(*link)

    def forward(self, values):
        """Sum of the branch and the shortcut."""
        return torch.relu(self.branch(values) + self.shortcut(values))


class ResNet50:
    """The network with random weights, for images of some size."""

    def __init__(self, size):
        torch.set_num_threads(1)
        torch.manual_seed(0)
        first = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        blocks, inputs = [], 64
        for width, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for i in range(count):
                blocks.append(Bottleneck(inputs, width, stride if i == 0 else 1))
                inputs = 4 * width
        self.maps = nn.Sequential(*first, *blocks).float().eval()
        self.whole = nn.Sequential(self.maps, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000)).float()
        self.whole.eval()
        self.size = size

    def table(self):
        """Number of parameters that torchinfo's table has at its end."""
        shape = (1, 3, self.size, self.size)
        return torchinfo.summary(self.whole, shape, dtypes=[torch.float32], verbose=0).total_params

    def gradient_field(self, samples, batch=10):
        """Mean square over random inputs of the gradient of the middle unit of the last map, shape (size, size)."""
        total = torch.zeros(self.size, self.size)
        for _ in range(samples // batch):
            inputs = torch.randn(batch, 3, self.size, self.size, dtype=torch.float32, requires_grad=True)
            maps = self.maps(inputs)
            middle = maps.shape[-1] // 2
            maps[:, 0, middle, middle].sum().backward()
            total += inputs.grad.square().sum(dim=(0, 1))
        return (total / samples).numpy()
