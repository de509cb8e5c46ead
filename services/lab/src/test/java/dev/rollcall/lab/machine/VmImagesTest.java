package dev.rollcall.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The image of {@link VmTest}'s machine, which this may be the first to make. */
@Tag("vm")
class VmImagesTest {
  @Test
  void anImageIsMadeOnce() {
    VmRecipe recipe = VmRecipe.debian12();
    VmImage first = VmImages.ofUser(_ -> {}).of(recipe);
    var said = new ArrayList<String>();
    VmImage second = VmImages.ofUser(said::add).of(recipe);

    assertEquals(first, second);
    assertEquals(List.of(), said);
    assertTrue(Files.isDirectory(first.folder()), first::toString);
    assertTrue(first.kernel().contains("cloud-amd64"), first.kernel());
  }
}
