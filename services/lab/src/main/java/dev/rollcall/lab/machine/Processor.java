package dev.rollcall.lab.machine;

import java.util.List;

/** The kinds of processors that QEMU emulates here. */
public enum Processor {
  /** Without its check the kernel takes a timer that is late on a busy machine for none. */
  AMD64("qemu-system-x86_64", "console=ttyS0 nokaslr random.trust_cpu=1 no_timer_check"),
  /** The serial line of its own is no ttyS, so it has the three lines of a PC by PCI. */
  ARM64("qemu-system-aarch64", "console=ttyS0");

  private final String emulator;
  private final String kernelWords;

  Processor(String emulator, String kernelWords) {
    this.emulator = emulator;
    this.kernelWords = kernelWords;
  }

  String emulator() {
    return emulator;
  }

  String kernelWords() {
    return kernelWords;
  }

  /** The board and the processor. Of amd64 no AVX, which is dear to emulate. */
  List<String> machine() {
    return switch (this) {
      case AMD64 -> List.of("-M", "q35,usb=off", "-cpu", "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt");
      case ARM64 -> List.of("-M", "virt,gic-version=3", "-cpu", "cortex-a57");
    };
  }

  /**
   * A serial line; the first one is ttyS0.
   *
   * @param backend as {@code -chardev} has it, without its id
   */
  List<String> serial(String name, String backend) {
    String chardev = backend + ",id=" + name;
    return switch (this) {
      case AMD64 -> List.of("-chardev", chardev, "-serial", "chardev:" + name);
      case ARM64 -> List.of("-chardev", chardev, "-device", "pci-serial,chardev=" + name);
    };
  }

  /** The script that makes an image, and then those that it reads. */
  List<Resource> scripts() {
    return switch (this) {
      case AMD64 -> List.of(Resource.IMAGE);
      case ARM64 -> List.of(Resource.IMAGE_ARM64, Resource.IMAGE);
    };
  }
}
