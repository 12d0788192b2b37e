// Inventory
