"""The optional compiled kernel: finding it (`loader`), and runs by it (`tables`, `driver`); its sources are `loops`."""
