package dev.rollcall.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The Slurm of a machine. */
class VmRecipeTest {
  private final VmRecipe own = VmRecipe.debian12();

  @Test
  void theSlurmOfItsOwnReleaseIsAmongItsPackages() {
    assertEquals(own, own.withSlurmVersion("22.05"));
    assertTrue(own.packages().contains("slurmd"));
  }

  @Test
  void anotherSlurmIsInTheRootOfItsRelease() {
    VmRecipe other = own.withSlurmVersion("26.05");

    assertEquals(Optional.of("sid"), other.slurm());
    assertEquals("bookworm", other.release());
    assertFalse(other.packages().contains("slurmd"));
    assertTrue(other.packages().contains("munge"));
  }

  @Test
  void aSlurmThatNoReleaseHasIsRefused() {
    var e = assertThrows(VmException.class, () -> own.withSlurmVersion("23.02"));

    assertEquals("no Slurm 23.02 for a machine: expected 22.05, 24.11, 26.05", e.getMessage());
  }
}
